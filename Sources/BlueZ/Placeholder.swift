/// Placeholder.
enum Placeholder {}
