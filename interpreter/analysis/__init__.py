"""Many games for one question: how they are played and kept, and what they show."""
