"""TensorBoard's interfaces on top of Kymograph."""
