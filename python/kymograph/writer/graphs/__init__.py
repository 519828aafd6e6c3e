"""Pictures of models as `GraphDef` messages, one module per source of the picture."""
