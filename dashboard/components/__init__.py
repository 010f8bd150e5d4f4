"""Streamlit components of our own."""
