"""Short clips with camera motion, with and without a polyp, and what is true of each frame."""
