"""Training code out to event files: the drop-in `SummaryWriter` and what it is made of."""
