import type { TestService } from '../service.ts'

/** Returns `METHOD path` of every registered route, from the printed route tree with four columns per level. */
export function routesOf({ app }: TestService): string[] {
  const steps: string[] = []
  const tree = app.printRoutes({ commonPrefix: false })
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', step = '', methods = ''] =
      /^(.*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    steps.splice(indent.length / 4, Number.POSITIVE_INFINITY, step)
    const path = steps.join('')
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`)
  })
}
