/* SPDX-License-Identifier: LGPL-2.1 */
/* Answers the question whether the component class can read a file. */
#ifndef _BABELTRACE_SUPPORT_H
#define _BABELTRACE_SUPPORT_H

#include <babeltrace2/babeltrace.h>

bt_component_class_query_method_status support_query(bt_self_component_class_source *self,
						     bt_private_query_executor *executor,
						     const char *object, const bt_value *params,
						     void *data, const bt_value **result);

#endif
