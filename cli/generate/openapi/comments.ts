import { run } from '../../run.ts'

type NamedNode = { name: string }
type Message = NamedNode & { field?: NamedNode[]; nestedType?: Message[] }
type File = {
  package?: string
  messageType?: Message[]
  service?: (NamedNode & { method?: NamedNode[] })[]
  sourceCodeInfo?: { location?: { path?: number[]; leadingComments?: string }[] }
}

/** The protos' comments on services, RPCs, messages and fields, by full name: platform.news.v1.Page.title. */
export type Comments = Map<string, string>

/** Reads the comments from the sources, because generated descriptors have none. */
export function readComments(): Comments {
  const { ok, output } = run('buf', 'build', 'proto', '--exclude-imports', '-o', '-#format=json')
  if (!ok) throw new Error(output)
  const { file: files } = JSON.parse(output) as { file: File[] }
  return new Map(files.flatMap(file => [...commentsOf(file)]))
}

function* commentsOf(file: File): Generator<[string, string]> {
  const names = namesOf(file)
  for (const { path = [], leadingComments = '' } of file.sourceCodeInfo?.location ?? []) {
    const name = names.get(path.join('.'))
    if (name && leadingComments) yield [name, paragraphs(leadingComments)]
  }
}

/** Full names by their path in a FileDescriptorProto (field numbers and list indexes). */
function namesOf(file: File): Map<string, string> {
  const names = new Map<string, string>()
  const add = (message: Message, path: string, scope: string): void => {
    const name = `${scope}.${message.name}`
    names.set(path, name)
    message.field?.forEach((field, index) => names.set(`${path}.2.${index}`, `${name}.${field.name}`))
    message.nestedType?.forEach((nested, index) => add(nested, `${path}.3.${index}`, name))
  }
  const scope = file.package ?? ''
  file.messageType?.forEach((message, index) => add(message, `4.${index}`, scope))
  file.service?.forEach((service, index) => {
    names.set(`6.${index}`, `${scope}.${service.name}`)
    service.method?.forEach((method, position) =>
      names.set(`6.${index}.2.${position}`, `${scope}.${service.name}.${method.name}`),
    )
  })
  return names
}

/** Joins lines that the source wraps. */
const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map(part => part.replace(/\s+/g, ' ').trim())
    .join('\n\n')
