"""What goes on, for those who run it: traces for OpenTelemetry (extra `[otel]`) and figures for Prometheus."""
