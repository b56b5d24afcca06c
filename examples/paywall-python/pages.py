INTRODUCTION = "<p>Twice a day the sea leaves the harbor.</p>"
REST = "<p>The moon takes it, and brings it back.</p>"
THANKS = "<p>Thank you for buying this article.</p>"
LATER = "<p>We can’t check at the moment whether you may read on. Try again soon.</p>"
SIGN_IN = """<form method="post" action="/sign-in">
  <label>Your email <input type="email" name="email" required></label> <button>Sign in</button>
</form>"""


def page(body):
    return f"""<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tides</title>
<h1>Tides</h1>{body}"""


def article(is_thanked):
    return page((THANKS if is_thanked else "") + INTRODUCTION + REST)


def teaser(decision):
    """What a reader without access sees, by the code of the decision."""
    if decision["code"] == "anonymous":
        return page(INTRODUCTION + SIGN_IN)
    if decision["code"] == "unavailable":
        return page(INTRODUCTION + LATER)
    price = "".join(f" for {offer['amount']:.2f} {offer['currency']}" for offer in decision["offers"][:1])
    button = f'<form method="post" action="/buy"><button>Buy this article{price}</button></form>'
    return page(INTRODUCTION + button)
