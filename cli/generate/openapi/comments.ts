import { run } from '../../run.ts'

type Named = { name: string }
type Message = Named & { field?: Named[]; nestedType?: Message[] }
type File = {
  package?: string
  messageType?: Message[]
  service?: (Named & { method?: Named[] })[]
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
    message.field?.forEach((field, at) => names.set(`${path}.2.${at}`, `${name}.${field.name}`))
    message.nestedType?.forEach((nested, at) => add(nested, `${path}.3.${at}`, name))
  }
  const scope = file.package ?? ''
  file.messageType?.forEach((message, at) => add(message, `4.${at}`, scope))
  file.service?.forEach((service, at) => {
    names.set(`6.${at}`, `${scope}.${service.name}`)
    service.method?.forEach((method, of) => names.set(`6.${at}.2.${of}`, `${scope}.${service.name}.${method.name}`))
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
