import { startChat, type Chat, type ChatStart } from './start-chat.js';
import { useServices, type Plans, type UsedServices } from './use-services.js';

export type { Plans };

export interface Chats extends Pick<UsedServices, 'system' | 'model' | 'repository'> {
  /** Opens a chat in the repository; it is closed behind the test. */
  readonly open: (options?: Partial<ChatStart>) => Promise<Chat>;
}

/**
 * The services with a model that follows plans, for all tests of a file, and a repository for each.
 * @param extra files of the repository, beside those that each one has
 */
export function useChats(plans: Plans, extra?: Readonly<Record<string, string>>): Chats {
  const services = useServices(plans, { files: extra });
  return {
    get system() {
      return services.system;
    },
    get model() {
      return services.model;
    },
    get repository() {
      return services.repository;
    },
    open: async (options = {}) => {
      const chat = await startChat(services.system, { root: services.repository.root, ...options });
      services.after(() => chat.close());
      return chat;
    },
  };
}
