/** What a reader without access sees, by the code of the decision. */
export function Teaser({ decision }) {
  return (
    <>
      <p>Twice a day the sea leaves the harbor.</p>
      <Way decision={decision} />
    </>
  )
}

function Way({ decision: { code, offers } }) {
  if (code === 'anonymous') {
    return (
      <form method="post" action="/sign-in">
        <label>
          Your email <input type="email" name="email" required />
        </label>{' '}
        <button type="submit">Sign in</button>
      </form>
    )
  }
  if (code === 'unavailable') {
    return <p>We can’t check at the moment whether you may read on. Try again soon.</p>
  }
  const [offer] = offers
  const price = offer ? ` for ${offer.amount.toFixed(2)} ${offer.currency}` : ''
  return (
    <form method="post" action="/buy">
      <button type="submit">{`Buy this article${price}`}</button>
    </form>
  )
}
