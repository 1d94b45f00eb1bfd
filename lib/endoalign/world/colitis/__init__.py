"""Patients with ulcerative colitis, graded Mayo 0 to 3: who, where, and the pictures of them."""
