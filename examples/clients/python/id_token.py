"""Checks an idToken without a request to Countersign for each one. Needs PyJWT with its cryptography: pip install 'pyjwt[crypto]'"""
import sys

import jwt


def read_id_token(token, url, client_id):
    """Returns its claims, or raises. `sub` is the requestId. Accept each token once, by its `jti`."""
    if jwt.get_unverified_header(token).get("typ") != "countersign-id+jwt":
        raise ValueError("not an idToken")
    key = jwt.PyJWKClient(url + "/.well-known/jwks.json").get_signing_key_from_jwt(token).key
    return jwt.decode(token, key, algorithms=["ES256"], issuer=url, audience=client_id, options={"require": ["exp", "sub"]})


if __name__ == "__main__":
    print(read_id_token(*sys.argv[1:])["phone_number"])
