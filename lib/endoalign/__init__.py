"""EndoAlign: reproducible vision-language models for endoscopy.

Research software, never a medical device.
"""

__version__ = "0.1.0"
