import { type DescFile, type DescMethod, getOption } from '@bufbuild/protobuf'
import { access, Caller } from '../../gen/platform/options/v1/options_pb.ts'
import type { SourceFile } from '../sources.ts'

/** Kinds of callers that `personOf` refuses. */
const programs = new Map<Caller, string>([
  [Caller.PERSON_OR_CREDENTIAL, 'CALLER_PERSON_OR_CREDENTIAL'],
  [Caller.SERVICE, 'CALLER_SERVICE'],
])

type Declared = { name: string; text: string }

/** A function, a method, or an entry of an object that is a function. */
const declaration = /^( *)(?:export )?(?:async )?(?:function )?(\w+)(?:\(|: \(?.*=>)/

function declarationsIn(text: string): Declared[] {
  const lines = text.split('\n')
  return lines.flatMap((line, start) => {
    const [, indent = '', name = ''] = declaration.exec(line) ?? []
    if (name === '') return []
    const after = lines.slice(start + 1)
    const length = after.findIndex(next => next !== '' && !next.startsWith(`${indent} `))
    return [{ name, text: [line, ...after.slice(0, length)].map(textLine => textLine.slice(indent.length)).join('\n') }]
  })
}

/** Whether a function takes people alone whatever the request says: it asks for the person outside of any block. */
const takesPeopleOnly = ({ text }: Declared): boolean =>
  text.split('\n').some(line => /^(?: {2})?\S.*\bpersonOf\(context\)/.test(line) && !/^\s*if /.test(line))

/** RPCs that name a kind of caller which their handler, or a function that it calls with its context, refuses. */
export function callerGaps(files: DescFile[], sources: SourceFile[]): string[] {
  const methods = files.flatMap(file => file.services).flatMap(service => service.methods)
  const handlers = sources.filter(({ path }) => /^services\/(?!kernel).*(?<!\.test)\.ts$/.test(path))
  const refusing = new Map(
    handlers.map(({ path, text }) => [
      path,
      new Set(
        declarationsIn(text)
          .filter(takesPeopleOnly)
          .map(one => one.name),
      ),
    ]),
  )
  const exported = new Set([...refusing.values()].flatMap(names => [...names]))
  return handlers.flatMap(({ path, text }) => {
    const imports = (text.match(/^import [^;]*? from '\..*'$/gm) ?? []).join('\n')
    const isRefusing = (name: string): boolean =>
      refusing.get(path)?.has(name) || (exported.has(name) && new RegExp(`\\b${name}\\b`).test(imports))
    return [...text.matchAll(/implement\((\w+), \{\n([\s\S]*?)^ *\}\)/gm)].flatMap(([, service, body = '']) =>
      declarationsIn(body)
        .filter(handler => takesPeopleOnly(handler) || calledWithContext(handler).some(isRefusing))
        .flatMap(({ name }) => methods.filter(method => method.parent.name === service && method.localName === name))
        .flatMap(method =>
          programsNamed(method).map(
            caller =>
              `${path}: ${service}.${method.name} names ${caller}, and its handler takes people only (personOf)`,
          ),
        ),
    )
  })
}

const calledWithContext = ({ text }: Declared): string[] =>
  [...text.matchAll(/\b(\w+)\([^()]*context\)/g)].map(([, name = '']) => name)

const programsNamed = (method: DescMethod): string[] =>
  getOption(method, access).callers.flatMap(caller => programs.get(caller) ?? [])
