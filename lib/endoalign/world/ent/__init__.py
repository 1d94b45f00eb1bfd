"""The ear, nose and throat of the synthetic world: pictures with true side, findings and words."""
