"""TensorBoard's words put into ours."""
