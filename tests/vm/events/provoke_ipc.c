// SPDX-License-Identifier: GPL-2.0
/* Provoke events of System V IPC. The tests recognize them by key, id or address. */
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "provoke.h"

#define KEY	   0x4c4b5354
#define FLAGS	   (IPC_CREAT | IPC_EXCL | 0600)
#define SEMAPHORES 3
#define OPERATIONS 7
#define REFUSED	   2
#define MESSAGES   5
#define TEXT_LEN   24
#define ROOM	   60
#define MEMORY	   (3 * 4096)
#define ATTACHED   4
#define SIGNALS	   6

/* Argument @n must be @value, the result of a system call. */
#define RESULT(n, value) ARG(n, (int64_t)(value))

static int got(int id, const char *name)
{
	bail_if(id < 0, name);
	return id;
}

static void semaphores(void)
{
	struct sembuf up[2] = { { .sem_num = 0, .sem_op = 1 }, { .sem_num = 1, .sem_op = 1 } };
	struct sembuf down = { .sem_num = 2, .sem_op = -1, .sem_flg = IPC_NOWAIT };
	const struct timespec second = { .tv_sec = 1 };
	int id = got(semget(KEY, SEMAPHORES, FLAGS), "semget");

	for (int i = 0; i < OPERATIONS; i++)
		got(i % 2 ? semop(id, up, 2) : semtimedop(id, up, 2, &second), "semop");
	for (int i = 0; i < REFUSED; i++)
		bail_if(semop(id, &down, 1) != -1 || errno != EAGAIN,
			"semop that would have to wait");
	bail_if(semget(KEY, SEMAPHORES, FLAGS) != -1 || errno != EEXIST, "semget, again");
	got(semctl(id, 0, IPC_RMID), "semctl");
	values.at[0] = id;
}

static void messages(void)
{
	struct {
		long type;
		char text[ROOM];
	} message = { .type = 1 };
	int id = got(msgget(KEY, FLAGS), "msgget");

	for (int i = 0; i < MESSAGES; i++)
		got(msgsnd(id, &message, TEXT_LEN, IPC_NOWAIT), "msgsnd");
	for (int i = 0; i < MESSAGES; i++)
		bail_if(msgrcv(id, &message, ROOM, 0, MSG_NOERROR) != TEXT_LEN, "msgrcv");
	bail_if(msgrcv(id, &message, ROOM, 0, IPC_NOWAIT) != -1 || errno != ENOMSG,
		"msgrcv from an empty queue");
	got(msgctl(id, IPC_RMID, NULL), "msgctl");
	values.at[0] = id;
}

static void shared_memory(void)
{
	/* Find a free range of addresses: map memory here and unmap it below. */
	char *at = mmap(NULL, MEMORY, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int id = got(shmget(KEY, MEMORY, FLAGS), "shmget");

	bail_if(at == MAP_FAILED, "mmap");
	munmap(at, MEMORY);
	for (int i = 0; i < ATTACHED; i++) {
		bail_if(shmat(id, at, SHM_RDONLY) != at, "shmat");
		got(shmdt(at), "shmdt");
	}
	bail_if(shmdt(at) != -1 || errno != EINVAL, "shmdt of nothing");
	got(shmctl(id, IPC_RMID, NULL), "shmctl");
	bail_if(shmat(id, at, SHM_RDONLY) != (void *)-1, "shmat of a deleted segment");
	values.at[0] = id;
	values.at[1] = (uintptr_t)at;
}

static void on_signal(int signal)
{
	(void)signal;
}

/*
 * Return from signal handlers by the system call sigreturn. When sigreturn exits, the kernel no
 * longer knows the number of the system call, but LKST must not mistake the exit for the exit of an
 * IPC call.
 */
static void signals(void)
{
	static const int flags[] = { 0, SA_SIGINFO };
	struct sigaction action = { .sa_handler = on_signal }, old;

	sigaction(SIGUSR1, NULL, &old);
	for (int i = 0; i < 2 * SIGNALS; i++) {
		action.sa_flags = flags[i % 2];
		sigaction(SIGUSR1, &action, NULL);
		raise(SIGUSR1);
	}
	sigaction(SIGUSR1, &old, NULL);
}

#define NONE(etype) { 0, etype, .by = OWN }

const struct test ipc_tests[] = {
	{ "semaphores", .run = semaphores, .expected = {
	  { 1, "ipc_semget", ARG(1, KEY), BOTH(2, SEMAPHORES, FLAGS), VALUE(3, 0) },
	  { 1, "ipc_semget", ARG(1, KEY), BOTH(2, SEMAPHORES, FLAGS), RESULT(3, -EEXIST) },
	  { 2, "ipc_semget", ARG(1, KEY) },
	  { OPERATIONS, "ipc_semop", VALUE(1, 0), ARG(2, 2), RESULT(3, 0) },
	  { REFUSED, "ipc_semop", VALUE(1, 0), ARG(2, 1), RESULT(3, -EAGAIN) },
	  { OPERATIONS + REFUSED, "ipc_semop", .by = OWN } } },
	{ "message-queues", .run = messages, .expected = {
	  { 1, "ipc_msgget", ARG(1, KEY), ARG(2, FLAGS), VALUE(3, 0), .all = ALL_OF_ARG1 },
	  { MESSAGES, "ipc_msgsnd", VALUE(1, 0), BOTH(2, TEXT_LEN, IPC_NOWAIT), RESULT(3, 0) },
	  { MESSAGES, "ipc_msgsnd", .by = OWN },
	  { MESSAGES, "ipc_msgrcv", VALUE(1, 0), BOTH(2, ROOM, MSG_NOERROR), RESULT(3, TEXT_LEN) },
	  { 1, "ipc_msgrcv", VALUE(1, 0), BOTH(2, ROOM, IPC_NOWAIT), RESULT(3, -ENOMSG) },
	  { MESSAGES + 1, "ipc_msgrcv", .by = OWN } } },
	{ "shared-memory", .run = shared_memory, .expected = {
	  { 1, "ipc_shmget", ARG(1, KEY), ARG(2, MEMORY), ARG(3, FLAGS), VALUE(4, 0),
	    .all = ALL_OF_ARG1 },
	  { ATTACHED, "ipc_shmat", VALUE(1, 0), ARG(2, SHM_RDONLY), RESULT(3, 0), VALUE(4, 1) },
	  { 1, "ipc_shmat", VALUE(1, 0), ARG(2, SHM_RDONLY), RESULT(3, -EINVAL) },
	  { ATTACHED + 1, "ipc_shmat", .by = OWN },
	  { ATTACHED, "ipc_shmdt", VALUE(1, 1), RESULT(2, 0) },
	  { 1, "ipc_shmdt", VALUE(1, 1), RESULT(2, -EINVAL) },
	  { ATTACHED + 1, "ipc_shmdt", .by = OWN } } },
	{ "signals", .run = signals, .expected = {
	  NONE("ipc_semget"), NONE("ipc_semop"), NONE("ipc_msgget"), NONE("ipc_msgsnd"),
	  NONE("ipc_msgrcv"), NONE("ipc_shmget"), NONE("ipc_shmat"), NONE("ipc_shmdt") } },
	{},
};
