# Heliograph on a Mac, or on Linux with Homebrew.
class Heliograph < Formula
  desc "Share a screen, watch and control it from another machine or a browser"
  homepage "https://example.org/heliograph"
  url "https://example.org/heliograph.git", tag: "v0.1.0"
  license all_of: ["Apache-2.0", "GPL-2.0-or-later"]
  head "https://example.org/heliograph.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on "ffmpeg"
  depends_on "openssl@3"
  depends_on "opus"
  depends_on "srt"

  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  on_macos do
    # The lowest that the code allows: see Package.swift.
    depends_on macos: :tahoe
    depends_on xcode: ["26.4", :build]
  end

  on_linux do
    depends_on "avahi"
    depends_on "cnats"
    depends_on "jpeg-turbo"
    depends_on "libx11"
    depends_on "libxcb"
    depends_on "libxext"
    depends_on "libxi"
    depends_on "libxkbcommon"
    depends_on "libyuv"
    depends_on "pipewire"
    depends_on "pulseaudio"
    depends_on "qrencode"
    depends_on "sdl2"
    depends_on "sdl2_ttf"
    depends_on "x264"
  end

  def install
    options = OS.mac? ? ["--disable-sandbox"] : ["--static-swift-stdlib"]
    system "swift", "build", "-c", "release", "--product", "heliograph", *options
    bin.install ".build/release/heliograph"
    system "script/make-manuals", bin/"heliograph", "manuals"
    man1.install Dir["manuals/man/man1/*.1"]
    bash_completion.install "manuals/completions/heliograph.bash" => "heliograph"
    zsh_completion.install "manuals/completions/_heliograph"
    fish_completion.install "manuals/completions/heliograph.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/heliograph --version")
  end
end
