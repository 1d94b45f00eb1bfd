"""The embedded synthetic endoscopy world: anatomy, lesions, light, cases and reports with truth."""
