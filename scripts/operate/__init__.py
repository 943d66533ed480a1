"""Portage operated with real parts nobody here wrote: see scripts/operate.sh."""
