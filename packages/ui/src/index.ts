export { EMPTY_VIEW } from '@codelab/client/view';
