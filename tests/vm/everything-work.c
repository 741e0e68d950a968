// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that between them cause events of each class, over and over. They are to go on while a CPU
 * goes offline, so none of them is pinned to one.
 */
#include <arpa/inet.h>
#include <linux/loop.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "everything.h"
#include "modules.h"

#define PAGE 4096

static void __attribute__((noreturn)) give_up(const char *what)
{
	wrong("%s: %s", what, strerror(errno));
	exit(1);
}

static pid_t child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork");
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void end_child(pid_t pid, int signal)
{
	if (signal)
		kill(pid, signal);
	if (waitpid(pid, NULL, 0) != pid)
		give_up("waitpid");
}

/* Processes, exceptions, signals: each way to begin and to end. */
static void work_processes(volatile unsigned long *rounds)
{
	pid_t pid;

	for (; !work_is_over(); ++*rounds) {
		pid = child();
		if (!pid) {
			if (*rounds % 3 == 0)
				execl("/bin/true", "true", NULL);
			if (*rounds % 3 == 1)
				_exit(1);
			for (;;)
				pause();
		}
		if (*rounds % 3 == 2)
			end_child(pid, SIGTERM);
		else
			end_child(pid, 0);
	}
}

/* Two processes wake each other. */
static void work_pipe(volatile unsigned long *rounds)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back))
		give_up("pipe");
	pid = child();
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	for (; !work_is_over(); ++*rounds)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			give_up("pipe");
	close(there[1]);
	end_child(pid, SIGKILL);
}

/* Pages that are not there, pages that are copied, and giving them back. */
static void work_memory(volatile unsigned long *rounds)
{
	size_t size = 64 * PAGE, i;
	char *area;
	pid_t pid;

	for (; !work_is_over(); ++*rounds) {
		area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (area == MAP_FAILED)
			give_up("mmap");
		for (i = 0; i < size; i += PAGE)
			area[i] = 1;
		pid = child();
		if (!pid) {
			for (i = 0; i < size; i += PAGE)
				area[i] = 2;
			_exit(0);
		}
		end_child(pid, 0);
		munmap(area, size);
	}
}

static void work_ipc(volatile unsigned long *rounds)
{
	struct sembuf up_down[] = { { .sem_op = 1 }, { .sem_op = -1 } };
	struct {
		long type;
		char text[200];
	} message = { 1, "" };
	int sem, msg, shm;
	void *at;

	for (; !work_is_over(); ++*rounds) {
		sem = semget(IPC_PRIVATE, 1, 0600);
		msg = msgget(IPC_PRIVATE, 0600);
		shm = shmget(IPC_PRIVATE, PAGE, 0600);
		if (sem < 0 || msg < 0 || shm < 0 || semop(sem, up_down, 2) ||
		    msgsnd(msg, &message, sizeof(message.text), 0) ||
		    msgrcv(msg, &message, sizeof(message.text), 1, 0) < 0)
			give_up("System V IPC");
		at = shmat(shm, NULL, 0);
		if (at == (void *)-1)
			give_up("shmat");
		*(volatile int *)at = 1;
		shmdt(at);
		semctl(sem, 0, IPC_RMID);
		msgctl(msg, IPC_RMID, NULL);
		shmctl(shm, IPC_RMID, NULL);
	}
}

static int listening(struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(*address);

	address->sin_family = AF_INET;
	address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (void *)address, len) || listen(fd, 5) ||
	    getsockname(fd, (void *)address, &len))
		give_up("socket");
	return fd;
}

/* Connections to oneself, datagrams, and a packet that nobody wants. */
static void work_network(volatile unsigned long *rounds)
{
	struct sockaddr_in address = {}, nobody = { .sin_family = AF_INET };
	int server = listening(&address), datagrams = socket(AF_INET, SOCK_DGRAM, 0);
	struct linger reset = { 1, 0 };
	int client, accepted;
	char data[100] = "";

	nobody.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	nobody.sin_port = htons(9);
	for (; !work_is_over(); ++*rounds) {
		client = socket(AF_INET, SOCK_STREAM, 0);
		if (client < 0 || connect(client, (void *)&address, sizeof(address)))
			give_up("connect");
		accepted = accept(server, NULL, NULL);
		if (accepted < 0 || write(client, data, sizeof(data)) != sizeof(data) ||
		    read(accepted, data, sizeof(data)) <= 0)
			give_up("accept");
		setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		close(client);
		close(accepted);
		sendto(datagrams, data, sizeof(data), 0, (void *)&nobody, sizeof(nobody));
	}
}

static void count_signal(int signal)
{
	(void)signal;
}

/* Timers that run and timers that are deleted before. */
static void work_timers(volatile unsigned long *rounds)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, late = { { 0, 0 }, { 100, 0 } };

	signal(SIGALRM, count_signal);
	for (; !work_is_over(); ++*rounds) {
		setitimer(ITIMER_REAL, *rounds % 2 ? &often : &late, NULL);
		sleep_ms(1 + *rounds % 5);
	}
}

/* A module that cannot be read: there is memory of vmalloc() for it by then, which is given back. */
static void work_vmalloc(volatile unsigned long *rounds)
{
	for (; !work_is_over(); ++*rounds)
		if (!syscall(SYS_init_module, NULL, PAGE, "") || errno != EFAULT)
			give_up("init_module");
}

/* A block device in a file. */
static int loop_device(void)
{
	int control = open("/dev/loop-control", O_RDWR);
	int file = open("/tmp/everything", O_RDWR | O_CREAT, 0600);
	int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "/dev/loop%d", number);
	fd = open(name, O_RDWR);
	if (number < 0 || file < 0 || fd < 0 || ftruncate(file, 256 * PAGE) ||
	    ioctl(fd, LOOP_SET_FD, file))
		give_up("loop device");
	unlink("/tmp/everything");
	close(control);
	close(file);
	return fd;
}

static void work_block(volatile unsigned long *rounds)
{
	static char block[PAGE];
	int fd = loop_device();

	for (; !work_is_over(); ++*rounds) {
		memset(block, *rounds, sizeof(block));
		if (pwrite(fd, block, PAGE, *rounds % 256 * PAGE) != PAGE || fsync(fd))
			give_up("loop device: write");
		sleep_ms(5);
	}
	ioctl(fd, LOOP_CLR_FD, 0);
	close(fd);
}

/* In the kernel's log, but not on the console. */
static void work_messages(volatile unsigned long *rounds)
{
	static const char line[] = "<7>everything: a line\n";
	int fd;

	for (; !work_is_over(); ++*rounds) {
		fd = open("/dev/kmsg", O_WRONLY);
		if (fd < 0 || write(fd, line, strlen(line)) < 0)
			give_up("/dev/kmsg");
		close(fd);
		sleep_ms(5);
	}
}

/* Threads are renamed, modules come and go, all threads are dumped. */
static void work_rarities(volatile unsigned long *rounds)
{
	int error;

	for (; !work_is_over(); ++*rounds) {
		prctl(PR_SET_NAME, *rounds % 2 ? "everything" : "something");
		error = load_module("lkst_sample") ?: unload_module("lkst_sample");
		if (error) {
			errno = error;
			give_up("lkst_sample");
		}
		if (lkst(LKST_IOC_TRC_STATEDUMP, NULL))
			give_up("TRC_STATEDUMP");
		sleep_ms(20);
	}
}

/* Marks that can be checked, from one CPU and another. */
static void work_marks(volatile unsigned long *rounds)
{
	__u64 args[4];

	for (; !work_is_over(); ++*rounds) {
		pattern_fill(args, (uint64_t)getpid() << 32 | (*rounds + 1));
		if (mark(args[0], args[1], args[2], args[3]))
			give_up("ENTRY_LOG");
	}
}

const struct work works[] = {
	{ "processes", work_processes }, { "pipe", work_pipe },	      { "memory", work_memory },
	{ "System V IPC", work_ipc },	 { "network", work_network }, { "timers", work_timers },
	{ "vmalloc", work_vmalloc },	 { "block", work_block },     { "messages", work_messages },
	{ "rarities", work_rarities },	 { "marks", work_marks },     { "more marks", work_marks },
};

const unsigned int WORKS = sizeof(works) / sizeof(works[0]);
