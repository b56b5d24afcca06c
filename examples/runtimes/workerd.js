import { env } from 'cloudflare:workers'
import { createSite } from './site.js'

export default { fetch: createSite(env) }
