import type { FastifyInstance } from 'fastify'
import type { Cli } from '../../cli.ts'

/** Lists every route of the service, such as `GET /r2/access`. */
export function listRoutes(app: FastifyInstance): string[] {
  const parts: string[] = []
  const routes: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', path = '', methods] =
      /^([│ ]*)[├└]── ([^ ]*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (path === '') continue
    const depth = indent.length / 4
    parts.length = depth
    parts.push(path)
    const full = parts.join('')
    for (const method of methods?.split(', ') ?? []) routes.push(`${method} ${full}`)
  }
  return routes
}

const STAFF_CHANGE = /^(POST|PUT|PATCH|DELETE) \/dashboard\/api\/:environment\/:aid(\/.*)$/

/** Lists the routes by which staff change something in an application, such as `staff POST /access/grant`. */
export function listStaffChanges(app: FastifyInstance): string[] {
  return listRoutes(app).flatMap((route) => {
    const [, method, path] = STAFF_CHANGE.exec(route) ?? []
    return method === undefined ? [] : [`staff ${method} ${path}`]
  })
}

/** Lists every command that can be run, such as `gatehouse access grant`, as the help shows them. */
export async function listCommands(cli: Cli, path: readonly string[] = []): Promise<string[]> {
  const { stdout } = await cli.run(...path, '--help')
  const [, section = ''] = stdout.split(/^Commands:$/m)
  const names = [...section.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name as string)
  const children = names.filter((name) => name !== 'help')
  if (children.length === 0) return [['gatehouse', ...path].join(' ')]
  const found: string[] = []
  for (const name of children) found.push(...(await listCommands(cli, [...path, name])))
  return found
}
