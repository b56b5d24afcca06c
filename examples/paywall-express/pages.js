const page = (body) => `<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tides</title>
<h1>Tides</h1>${body}`
const INTRODUCTION = '<p>Twice a day the sea leaves the harbor.</p>'
const REST = '<p>The moon takes it, and brings it back.</p>'
const THANKS = '<p>Thank you for buying this article.</p>'

export const article = ({ isThanked }) => page((isThanked ? THANKS : '') + INTRODUCTION + REST)

/** What a reader without access sees, by the code of the decision. */
export function teaser({ code, offers }) {
  if (code === 'anonymous') return page(INTRODUCTION + SIGN_IN)
  if (code === 'unavailable') return page(INTRODUCTION + LATER)
  const [offer] = offers
  const price = offer ? ` for ${offer.amount.toFixed(2)} ${offer.currency}` : ''
  return page(`${INTRODUCTION}<form method="post" action="/buy">
  <button>Buy this article${price}</button>
</form>`)
}

const LATER = '<p>We can’t check at the moment whether you may read on. Try again soon.</p>'
const SIGN_IN = `<form method="post" action="/sign-in">
  <label>Your email <input type="email" name="email" required></label> <button>Sign in</button>
</form>`
