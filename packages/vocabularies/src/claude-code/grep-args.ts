/** What a model asks of `Grep`. */
export interface GrepArgs {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly type?: string;
  readonly output_mode: 'files_with_matches' | 'content' | 'count';
  readonly '-A'?: number;
  readonly '-B'?: number;
  readonly '-C'?: number;
  readonly context?: number;
  readonly '-n': boolean;
  readonly '-o': boolean;
  readonly '-i': boolean;
  readonly head_limit: number;
  readonly offset: number;
  readonly multiline: boolean;
}
