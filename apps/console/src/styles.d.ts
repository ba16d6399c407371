/** Vite takes styles out of imports; what they are is nobody's business here. */
declare module '*.css';
