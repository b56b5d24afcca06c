const page = (body) => `<!doctype html><title>Tides</title><h1>Tides</h1>${body}`
const INTRODUCTION = '<p>Twice a day the sea leaves the harbor.</p>'

export const article = () => page(`${INTRODUCTION}<p>The moon takes it, and brings it back.</p>`)

export const teaser = (reader) => page(INTRODUCTION + (reader ? BUY : SIGN_IN))
const BUY = '<form method="post" action="/buy"><button>Buy this article</button></form>'
const SIGN_IN = `<form method="post" action="/sign-in">
  <label>Your email <input type="email" name="email" required></label> <button>Sign in</button>
</form>`

export const thanks = () => page('<p>Thank you. <a href="/">Read the article</a></p>')
