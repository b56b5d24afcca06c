// Checks the layers: entry points call domain modules, and domain modules call only those below them.
const room = (name) => `^packages/server/src/${name}/`

/** From the top layer down; a domain module may use those after it. */
const ROOMS = [
  'hold',
  'sandbox',
  'move',
  'backup',
  'transfer',
  'people',
  'staff',
  'payments',
  'downloads',
  'subscriptions',
  'access',
  'resources',
  'users',
  'outbox',
  'apps',
  'history',
  'installation',
  'db',
  'signing',
]
/** The part of the SDK that writes files. */
const DOWNLOADING = '^packages/sdk/src/download[^/]*$'
const above = (name) => ROOMS.slice(0, ROOMS.indexOf(name))

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'rooms-know-no-door',
      comment: 'A room can be used from any door, so it can know none.',
      severity: 'error',
      from: { path: ROOMS.map(room), pathNot: '\\.test\\.ts$' },
      to: { path: [room('doors'), '^packages/server/src/(app|context|main|config|logger)\\.ts$'] },
    },
    ...ROOMS.map((name) => ({
      name: `${name}-looks-down`,
      severity: 'error',
      from: { path: room(name), pathNot: '\\.test\\.ts$' },
      to: { path: above(name).map(room) },
    })).filter((rule) => rule.to.path.length > 0),
    {
      name: 'top-files-stand-alone',
      comment: 'Only app.ts, context.ts and main.ts exist to name things below.',
      severity: 'error',
      from: { path: '^packages/server/src/(config|errors|ids|kinds|logger)\\.ts$' },
      to: { path: [...ROOMS, 'doors'].map(room) },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      from: { path: '^packages/', pathNot: ['\\.test\\.ts$', '/testing/'] },
      to: { path: '/testing/' },
    },
    {
      name: 'sql-stays-in-rooms',
      comment: 'A door reads, checks, calls and shows; it has no query.',
      severity: 'error',
      from: { path: room('doors'), pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(kysely|pg|@photostructure)/' },
    },
    {
      name: 'sdk-has-no-dependencies',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: ['\\.test\\.ts$', DOWNLOADING] },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'downloading-has-node-alone',
      severity: 'error',
      from: { path: DOWNLOADING, pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/sdk/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'sdk-runs-anywhere',
      comment: 'Only who asks for downloading needs Node.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: ['\\.test\\.ts$', DOWNLOADING] },
      to: { path: DOWNLOADING },
    },
    {
      name: 'web-app-has-types-of-the-server-alone',
      comment:
        'But for what both must know alike: how money is written, and which role may do what.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/' },
      to: {
        path: '^packages/(server|sdk)/src/',
        pathNot: '^packages/server/src/(apps/currency|doors/dashboard/route)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'server-knows-no-web-app',
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
