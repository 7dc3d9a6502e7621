import { type DescFile, hasOption } from '@bufbuild/protobuf'
import { routesOf } from '../../edge/rest/routes.ts'
import { event as eventOption } from '../../gen/platform/options/v1/options_pb.ts'

/** Files with services, by their REST service: platform.member.v1 → member. */
export function restServices(files: DescFile[]): Map<string, DescFile[]> {
  const byPackage = Map.groupBy(
    files.filter(file => file.services.length > 0),
    file => file.proto.package.split('.')[1] ?? '',
  )
  const routed = [...byPackage].filter(([, packageFiles]) =>
    packageFiles.some(file => file.services.some(one => routesOf(one).length > 0)),
  )
  return new Map(routed.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Name of protoc-gen-es's constant for a file's descriptor. */
const constantOf = (file: DescFile): string => `file_${file.name.replaceAll('/', '_')}`

/** Text of gen/catalogue.ts: the RPC services behind each REST service. */
export function catalogueText(files: DescFile[]): string {
  const services = restServices(files)
  const imports = [...services.values()]
    .flat()
    .map(file => `import { ${constantOf(file)} } from './${file.name}_pb.ts'`)
  const rows = [...services].map(
    ([name, serviceFiles]) => `  ${name}: servicesOf(${serviceFiles.map(constantOf).join(', ')}),`,
  )
  return `// Written by npm run gen.
import type { DescFile, DescService } from '@bufbuild/protobuf'
${imports.join('\n')}

const servicesOf = (...files: DescFile[]): DescService[] => files.flatMap(file => file.services)

/** The RPC services behind each documented REST service. */
export const catalogue = {
${rows.join('\n')}
}

${restServiceType}
`
}

const restServiceType = [
  '/** A REST service: the unit with its own port, health name and documentation. */',
  'export type RestService = keyof typeof catalogue',
].join('\n')

/** Text of gen/events.ts: the events of the bus, by type. */
export function eventListText(files: DescFile[]): string {
  const eventFiles = files.filter(file => file.messages.some(desc => hasOption(desc, eventOption)))
  const imports = eventFiles.map(file => `import { ${constantOf(file)} } from './${file.name}_pb.ts'`)
  return `// Written by npm run gen.
import { type DescFile, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { event } from './platform/options/v1/options_pb.ts'
${imports.join('\n')}

const files: DescFile[] = [${eventFiles.map(constantOf).join(', ')}]

/** The events of the bus, by type such as page.created. */
export const events: ReadonlyMap<string, DescMessage> = new Map(
  files
    .flatMap(file => file.messages)
    .filter(desc => hasOption(desc, event))
    .map(desc => [getOption(desc, event).type, desc]),
)
`
}
