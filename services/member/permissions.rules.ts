/** Effective permissions: those of the role united with those granted directly, each once (document 2, "Authentication" 6). */
export const effectivePermissions = (ofRole: string[], direct: string[]): string[] => [
  ...new Set([...ofRole, ...direct]),
]
