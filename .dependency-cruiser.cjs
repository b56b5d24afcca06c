// The layout, checked: entry points call domain modules, domain modules call those below them, and nothing
// imports the other way round. Type imports count too.
const source = (path) => `^packages/server/src/${path}`
const folder = (name) => source(`${name}/`)
const TESTS = ['\\.test\\.ts$', '/testing/']

/** From the top down; a module may import those after it. */
const DOMAIN = [
  'hold',
  'sandbox',
  'copy',
  'move',
  'backup',
  'transfer',
  'notifications',
  'figures',
  'people',
  'webhooks',
  'events',
  'decision',
  'connections',
  'staff',
  'payments',
  'images',
  'downloads',
  'subscriptions',
  'refusals',
  'passes',
  'access',
  'resources',
  'users',
  'mail',
  'brand',
  'idempotency',
  'apps',
  'history',
  'installation',
]
const above = (name) => DOMAIN.slice(0, DOMAIN.indexOf(name))
const domain = (name) => folder(`domain/${name}`)

const ENTRY_POINTS = ['http', 'cli', 'worker']
/** The parts of the HTTP side, each an entry point of its own. */
const HTTP_PARTS = [
  'account',
  'checkout',
  'dashboard',
  'downloads',
  'images',
  'operations',
  'r2',
  'reference',
]
/** The files that exist to put the parts together. */
const ASSEMBLY = source('(app|context|environment|main)\\.ts$')

/** The parts of the SDK that need Node: the one that writes files, and the one for tests. */
const ON_NODE = '^packages/sdk/src/(download(/|[^/]*$)|test-kit/|testing\\.ts$)'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-knows-no-entry-point',
      comment: 'A domain module can be used from any entry point, so it can know none.',
      severity: 'error',
      from: {
        path: [folder('domain'), folder('db'), folder('signing'), folder('records')],
        pathNot: TESTS,
      },
      to: {
        path: [...ENTRY_POINTS, 'cluster', 'config', 'start']
          .map(folder)
          .concat(ASSEMBLY, source('logging/logger\\.ts$')),
      },
    },
    ...DOMAIN.map((name) => ({
      name: `${name}-imports-only-modules-below-it`,
      severity: 'error',
      from: { path: domain(name), pathNot: TESTS },
      to: { path: above(name).map(domain) },
    })).filter((rule) => rule.to.path.length > 0),
    {
      name: 'db-and-signing-are-at-the-bottom',
      severity: 'error',
      from: { path: [folder('db'), folder('signing')], pathNot: TESTS },
      to: { path: [folder('domain'), folder('records')] },
    },
    ...ENTRY_POINTS.map((name) => ({
      name: `${name}-imports-no-other-entry-point`,
      severity: 'error',
      from: { path: folder(name), pathNot: TESTS },
      to: { path: ENTRY_POINTS.filter((other) => other !== name).map(folder) },
    })),
    ...HTTP_PARTS.map((name) => ({
      name: `http-${name}-imports-no-other-part`,
      severity: 'error',
      from: { path: folder(`http/${name}`), pathNot: TESTS },
      to: {
        path: HTTP_PARTS.filter((other) => other !== name).map((other) => folder(`http/${other}`)),
      },
    })),
    {
      name: 'root-files-stand-alone',
      comment:
        'Only app.ts, context.ts, environment.ts and main.ts exist to put things below together.',
      severity: 'error',
      from: { path: source('[^/]+\\.ts$'), pathNot: [ASSEMBLY, ...TESTS] },
      to: {
        path: [...ENTRY_POINTS, 'cluster', 'config', 'domain', 'records', 'start'].map(folder),
      },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      from: { path: '^packages/', pathNot: TESTS },
      to: { path: '/testing/' },
    },
    {
      name: 'sql-stays-in-the-domain',
      comment: 'An entry point parses, authorizes, calls and renders; it has no query.',
      severity: 'error',
      from: { path: ENTRY_POINTS.map(folder), pathNot: TESTS },
      to: { path: 'node_modules/(kysely|pg|@photostructure)/' },
    },
    {
      name: 'sdk-has-no-dependencies',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: ['\\.test\\.ts$', ON_NODE] },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'sdk-needs-node-alone',
      severity: 'error',
      from: { path: ON_NODE, pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/sdk/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'sdk-runs-anywhere',
      comment: 'Only a caller that imports the downloads or the helpers for tests needs Node.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: ['\\.test\\.ts$', ON_NODE] },
      to: { path: ON_NODE },
    },
    {
      name: 'dashboard-imports-one-entry-of-the-server',
      comment:
        'The web app imports @gatehouse/server/dashboard-api and nothing else of the server or the SDK.',
      severity: 'error',
      from: { path: '^packages/dashboard/' },
      to: {
        path: '^packages/(server|sdk)/',
        pathNot: '^packages/server/src/http/dashboard/api\\.ts$',
      },
    },
    {
      name: 'dashboard-entry-loads-little',
      comment:
        'Whatever the entry loads at runtime reaches the browser: how money and Markdown are written, when days begin, limits, and which role may do what.',
      severity: 'error',
      from: { path: '^packages/server/src/http/dashboard/api\\.ts$' },
      to: {
        pathNot:
          '^packages/server/src/(domain/(apps/currency|brand/color|downloads/limits|figures/days|images/limits|mail/template-kinds|resources/limits|users/limits)|http/dashboard/route|markdown)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'server-knows-no-dashboard',
      severity: 'error',
      from: { path: '^packages/(server|sdk)/' },
      to: { path: '^packages/dashboard/' },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
