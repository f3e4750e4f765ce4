"""What is between the sensors and the kernel: the air, and the controllers that the kernel sees."""
