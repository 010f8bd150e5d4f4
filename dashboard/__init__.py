"""The dashboard: a Streamlit app over `cst_core`."""
