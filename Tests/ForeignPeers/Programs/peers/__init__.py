"""WebRTC peers that no one here wrote, each behind the same lines of JSON (README.md)."""
