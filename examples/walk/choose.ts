/** With `EXAMPLES=workspace`, only what needs no packages besides those of the workspace, PHP and Python is started. It
 * takes some seconds; the rest needs large packages, and a build of Next.js. */
export const isQuick = process.env.EXAMPLES === 'workspace'

/** The sites to start: those of the workspace, and unless the run is quick also the others. */
export const choose = <Site>(own: Record<string, Site>, others: Record<string, Site>) =>
  isQuick ? own : { ...own, ...others }
