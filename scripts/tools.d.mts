export function requireTools(packages: Record<string, string>): void
export function hasTools(packages: Record<string, string>): boolean
