/**
 * What the environment of a process needs so that the lines it runs count for the coverage. Without it a process that a
 * test starts records nothing, and is ready in half the time: what it runs is proven, not counted.
 */
export function recorded(): Record<string, string> {
  const folder = process.env['TEST_COVERAGE']
  // What is served from the compile cache is recorded with less precision.
  return folder ? { NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' } : {}
}
