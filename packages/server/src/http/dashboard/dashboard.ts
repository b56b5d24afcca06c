import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { prefixesOf } from '../../config/addresses.ts'
import { type Failure, fail } from '../../errors.ts'
import { errorFieldsOf } from '../error-body.ts'
import { html } from '../pages/html.ts'
import { sendPage } from '../pages/page.ts'
import { sendFailure, toFailure } from '../responses.ts'
import { addressOf } from './origin.ts'
import type { RouteContext } from './route.ts'
import { registerRoutes } from './router.ts'
import { routes } from './routes.ts'
import { SESSIONS } from './staff/session-entry.ts'
import { unsubscribeRoutes } from './staff/unsubscribe.ts'
import { findAppFolder, readApp } from './static.ts'

/** Serves the staff's web app and its API. `folder` contains the built app. */
export function dashboard(shared: RouteContext, folder = findAppFolder()) {
  const { ctx } = shared
  const env = ctx.environments.production
  const home = `${prefixesOf(ctx.config).production}/dashboard/`
  const files = readApp(folder, home)

  async function sendApp(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = (request.params as { '*': string })['*']
    if (path === 'api' || path.startsWith('api/')) throw unmatchedCall(path)
    if (addressOf(ctx.config, request).kind === 'plain') {
      return sendPage(env, reply, fail('https_required').status, PLAIN_PAGE)
    }
    if (!files) return sendPage(env, reply, 503, UNBUILT_PAGE)
    if (!(await files.send(path, request, reply))) throw fail('path_not_found')
    return reply
  }

  return async (app: FastifyInstance): Promise<void> => {
    const hidden = { schema: { hide: true } }
    answerWithProblem(app)
    registerRoutes(app, shared, routes, SESSIONS)
    await app.register(unsubscribeRoutes(shared, home))
    app.get('/dashboard', hidden, async (_, reply) => reply.redirect(home, 302))
    app.get('/dashboard/*', hidden, sendApp)
  }
}

/** The web app shows the problem next to its field, so it gets it without the parameter's name. */
function answerWithProblem(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error, request)
    const { problem } = failure
    const about = problem === undefined ? {} : { problem }
    const body = { error: { ...errorFieldsOf(failure), ...about, request_id: request.id } }
    sendFailure(request, reply, failure, JSON.stringify(body))
  })
}

const API_PATHS = routes.map(({ path }) => new RegExp(`^api${path.replace(/:\w+/g, '[^/]+')}$`))

/** A GET that no route of the API answers ends up at the route of the pages. */
const unmatchedCall = (path: string): Failure =>
  fail(API_PATHS.some((known) => known.test(path)) ? 'method_not_allowed' : 'path_not_found')

const PLAIN_PAGE = {
  title: 'The dashboard needs https',
  content: html`<div class="card">
<h1>The dashboard needs https</h1>
<p>You have come here by plain HTTP, where others on the way can read along and take over what you do.
There is no sign-in over it.</p>
<p>One of these helps:</p>
<ul>
<li>Put a proxy with a certificate in front of Gatehouse, and set <code>GATEHOUSE_BASE_URL</code> to its
address, which begins with <code>https://</code>.</li>
<li>On the machine where Gatehouse runs, open it as <code>http://localhost</code> with its port.</li>
<li>From your own machine, go through SSH: <code>ssh -L 8080:localhost:8080 your-server</code>, then open
<code>http://localhost:8080/dashboard/</code>.</li>
</ul>
</div>`,
}

const UNBUILT_PAGE = {
  title: 'The dashboard was not built',
  content: html`<div class="card">
<h1>The dashboard was not built</h1>
<p>The rest of Gatehouse runs. In a clone, <code>npm run build</code> makes the dashboard; then restart
the service. A package that was installed has it already: if you see this there, install it again.</p>
</div>`,
}
