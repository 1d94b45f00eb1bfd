"""Writers of labelled pictures in the layouts of public data sets, their quirks included."""
