export { drawFrom, type Draw } from './plan/draw.js';
