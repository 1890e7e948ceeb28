"""Goals, worlds, tools and plans as frozen values, and the configuration they are read with."""
