"""The ray tracer: a view and a processor in, a frame with its truth out (`frame.render_frame`)."""
