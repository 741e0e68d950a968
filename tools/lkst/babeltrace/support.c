// SPDX-License-Identifier: LGPL-2.1
/*
 * All trace files that the user names are one group, which one component reads as one trace. Each
 * memory image is a separate group.
 */
#include "support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "lib/trace/trace.h"

#define SUPPORT_WEIGHT 0.9
#define SUPPORT_GROUP  "lkst"

enum support {
	SUPPORT_NONE,
	SUPPORT_TRACE,
	SUPPORT_IMAGE,
};

static bool support_is_trace(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_one = fd >= 0 && lkst_trace_is_one(fd);

	if (fd >= 0)
		close(fd);
	return is_one;
}

/*
 * Find out what a file is. Memory images are recognized by LKST's data in them, because any file
 * may be an image of raw memory.
 */
static enum support support_of(const char *path)
{
	struct lkst_error err;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return SUPPORT_NONE;
	if (support_is_trace(path))
		return SUPPORT_TRACE;
	return input_is_image(path, &err) > 0 && input_has_lkst(path, &err) > 0 ? SUPPORT_IMAGE :
										  SUPPORT_NONE;
}

static const char *support_text(const bt_value *params, const char *name)
{
	const bt_value *value = bt_value_map_borrow_entry_value_const(params, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : "";
}

static bt_value *support_answer(enum support support)
{
	bt_value *answer = bt_value_map_create();

	if (answer &&
	    (bt_value_map_insert_real_entry(answer, "weight", support ? SUPPORT_WEIGHT : 0) ||
	     (support == SUPPORT_TRACE &&
	      bt_value_map_insert_string_entry(answer, "group", SUPPORT_GROUP))))
		BT_VALUE_PUT_REF_AND_RESET(answer);
	return answer;
}

/**
 * support_query() - answer a query
 * @self: component class
 * @executor: not used
 * @object: what is queried: "babeltrace.support-info"
 * @params: "type": "file", "directory" or "string"; "input": name of the file
 * @data: not used
 * @result: result
 */
bt_component_class_query_method_status support_query(bt_self_component_class_source *self,
						     bt_private_query_executor *executor,
						     const char *object, const bt_value *params,
						     void *data, const bt_value **result)
{
	(void)self;
	(void)executor;
	(void)data;
	if (strcmp(object, "babeltrace.support-info") != 0)
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	if (strcmp(support_text(params, "type"), "file") != 0)
		*result = support_answer(SUPPORT_NONE);
	else
		*result = support_answer(support_of(support_text(params, "input")));
	return *result ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK :
			 BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}
