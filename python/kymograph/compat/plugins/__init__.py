"""What TensorBoard's plugins answer, a module for each of them."""
