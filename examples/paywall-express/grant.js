// Gives a reader the article for free: node grant.js ann@example.com
import { gatehouse } from './gatehouse.js'

const email = process.argv[2]?.toLowerCase()
if (!email) {
  console.error('Usage: node grant.js ann@example.com')
  process.exit(1)
}
const access = await gatehouse.grantAccess({
  rid: 'tides',
  email,
  user_ref: email,
  message: 'With our compliments.',
})
console.log(`${access.user_email} can read ${access.rid}.`)
