import type { DescFile } from '@bufbuild/protobuf'
import { routesOf } from '../../edge/rest/routes.ts'
import type { SourceFile } from '../sources.ts'

/** These go through all RPCs of a service for one property, so an RPC needs a test beside them. */
const registers = /\/(hidden|plans|repeated)\.test\.ts$/

/** Tested over HTTP alone. */
const overHttp = new Set(['GetLightProfile'])

/** RPCs with a route that no test calls by their method, as `client.listNotes(…)`. */
export function untestedRpcs(files: DescFile[], sources: SourceFile[]): string[] {
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts') && !registers.test(path))
  const text = tests.map(source => source.text).join('\n')
  return files
    .flatMap(file => file.services.flatMap(routesOf))
    .filter(({ method }) => !overHttp.has(method.name) && !text.includes(`.${method.localName}(`))
    .map(({ method }) => `${method.parent.name}.${method.name}: no test calls it`)
}
