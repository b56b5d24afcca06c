/** The contract as a page that needs nothing but itself. */
export function referencePage(contract: object): string {
  return `<!doctype html><pre>${JSON.stringify(contract)}</pre>`
}
