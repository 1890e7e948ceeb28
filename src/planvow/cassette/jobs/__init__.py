"""Plans of other layers as jobs, and the plan that replaces the rest of one."""
