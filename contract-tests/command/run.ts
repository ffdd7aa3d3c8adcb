import { UsageError } from '../engine/target/target.ts'
import { capture } from './capture.ts'
import type { Command, CommandContext } from './command.ts'
import { compare } from './compare.ts'
import { init } from './init/init.ts'
import { proxy } from './proxy.ts'
import { sweep } from './sweep.ts'
import { usage } from './usage.ts'
import { verify } from './verify.ts'

const commands: Readonly<Record<string, Command>> = { verify, sweep, compare, init, proxy, capture, usage }

/** Runs a command of the suite. Returns the exit status. */
export async function run([command = '', ...args]: readonly string[], context: CommandContext): Promise<number> {
  // `cli.ts` has checked the name.
  const chosen = commands[command]!
  try {
    const values = context.readArguments(
      `stack-parity ${command}`,
      nameArguments(args, chosen.arguments),
      chosen.options,
    )
    // A text says what is wrong with the arguments.
    if (typeof values === 'string') throw new UsageError(values)
    if (!values.help) return await chosen.run(values, context)
    context.stdout.write(context.fitHelp(chosen.help, context.stdout.columns))
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    context.stderr.write(`stack-parity ${command}: ${error.message}\n`)
    return 2
  }
}

/** Writes the arguments before the first option as values of an option. */
function nameArguments(args: readonly string[], option: string | undefined): readonly string[] {
  if (option === undefined) return args
  const first = args.findIndex(text => text.startsWith('-'))
  const count = first < 0 ? args.length : first
  return [...args.slice(0, count).flatMap(text => [`--${option}`, text]), ...args.slice(count)]
}
