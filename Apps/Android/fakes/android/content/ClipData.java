package android.content;

public class ClipData {
    private final String text;

    private ClipData(String text) {
        this.text = text;
    }

    public static ClipData newPlainText(CharSequence label, CharSequence text) {
        return new ClipData(text.toString());
    }

    public int getItemCount() {
        return 1;
    }

    public Item getItemAt(int index) {
        return new Item(text);
    }

    public static class Item {
        private final String text;

        Item(String text) {
            this.text = text;
        }

        public CharSequence getText() {
            return text;
        }
    }
}
