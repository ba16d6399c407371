/** The folder that a VS Code server was installed in, or nothing if there is none. */
export declare const findCodeServer: () => string | undefined;
/** What to do where there is none. */
export declare const NO_CODE_SERVER: string;
