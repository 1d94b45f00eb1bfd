"""One frame: decode, content area, quality, hashes; and many frames scanned in parallel."""
