"""MAXSIM (Chan and Ng 2008), its extension with learned weights, and explanations of scores."""
